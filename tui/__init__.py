"""Milepost: a terminal monitor for training runs that live somewhere else."""

__version__ = "0.1.0"
