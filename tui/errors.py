"""One tree of errors; each message says what failed, where, and what to do next."""


class MilepostError(Exception):
    """The base of all errors that are meant for the user's eyes, as one line."""


class TargetError(MilepostError):
    """An address that can't be read as one."""


class ConfigError(MilepostError):
    """A configuration file with something wrong in it."""


class UsageError(MilepostError):
    """A command line that asks for what can't be done."""


class SourceError(MilepostError):
    """A log that can't be reached or read."""
