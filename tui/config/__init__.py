"""The configuration: TOML in, frozen records out, and a clear word about every mistake."""

from tui.config.files import config_folder, default_path
from tui.config.loading import load_config
from tui.config.schema import (
    ALERT_KINDS,
    Config,
    DerivedConfig,
    DisplayConfig,
    FleetConfig,
    Goal,
    HealthConfig,
    NotifyConfig,
    ReferenceConfig,
    RunConfig,
)

__all__ = [
    "ALERT_KINDS",
    "Config",
    "DerivedConfig",
    "DisplayConfig",
    "FleetConfig",
    "Goal",
    "HealthConfig",
    "NotifyConfig",
    "ReferenceConfig",
    "RunConfig",
    "config_folder",
    "default_path",
    "load_config",
]
