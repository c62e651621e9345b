"""The settings of the server: flags count most, then variables, then a file, then what is usual."""

import difflib
import tomllib
from pathlib import Path
from typing import Annotated, Any

import platformdirs
import typer

from mozaika.cli.shell import app
from mozaika.doors.nets import NET
from mozaika.store.place import is_postgres, show_place

SECRET = ("token", "secret", "password")
"""A setting whose name ends so is never shown."""
FILES, PRINTED = ("store", "ratings", "access_log"), "-"
"""Settings that name a file; and what they say instead where something is printed."""


def default_file() -> Path:
    """Where settings are looked for if nobody says where."""
    return Path(platformdirs.user_config_dir("mozaika")) / "settings.toml"


def _use_file(context: typer.Context, chosen: Path | None) -> Path | None:
    """Let a file say what neither a flag nor a variable says."""
    path = chosen or default_file()
    if chosen is None and not path.exists():
        return None
    known = {
        _key(parameter): parameter
        for parameter in _serve().params
        if _key(parameter) not in ("settings", "help")
    }
    values = _read(path)
    for key, value in values.items():
        if key not in known:
            raise ValueError(f"{path}: there is no setting {key!r}{_guess(key, list(known))}.")
        _check(path, key, value, known[key], context)
    context.default_map = {
        str(known[key].name): _anchored(value, known[key], path) for key, value in values.items()
    }
    return path


def setting(variable: str, what: str, *flags: str, **more: Any) -> Any:
    """An option that can also be an environment variable of ours."""
    return typer.Option(*flags, envvar=f"MOZAIKA_{variable}", help=what, **more)


SettingsFile = Annotated[
    Path | None,
    setting(
        "SETTINGS",
        "A TOML file with settings; flags and variables count more.",
        "--settings",
        is_eager=True,
        callback=_use_file,
        show_default=False,
    ),
]

StorePlace = Annotated[
    str | None,
    setting(
        "STORE",
        "The file that keeps the games, or a PostgreSQL: postgresql://USER@HOST/DATABASE.",
        "--store",
        metavar="FILE|URL",
    ),
]


def own_ratings() -> Path:
    """Where the ratings of bots of one's own are kept if nobody says where."""
    return Path(platformdirs.user_data_dir("mozaika")) / "bots.json"


def find_store(chosen: str | None) -> str:
    """Where the games are kept: a file, or the address of a database."""
    return chosen or str(Path(platformdirs.user_data_dir("mozaika")) / "games.db")


def effective(chosen: Path | None) -> list[tuple[str, str, str]]:
    """Each setting of the server, what it is and where that comes from."""
    command = _serve()
    context = command.make_context("serve", ["--settings", str(chosen)] if chosen else [])
    found = []
    for parameter in command.params:
        if (key := _key(parameter)) != "help":
            value = context.params[str(parameter.name)]
            if key == "store":
                value = show_place(find_store(value))
            found.append((key, _show(key, value), _source(context, parameter)))
    return found


def _serve() -> Any:
    return typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]


def _key(parameter: Any) -> str:
    return str(max(parameter.opts, key=len)).lstrip("-").replace("-", "_")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{path} is not TOML: {error}.") from None


def _guess(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key, known, 1)
    return f"; there is {near[0]!r}" if near else f"; there are {', '.join(known)}"


def _check(path: Path, key: str, value: Any, parameter: Any, context: typer.Context) -> None:
    """A sentence that names the file, where click would only name the flag."""
    if parameter.multiple and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return
    if isinstance(value, bool) != parameter.is_flag or not isinstance(value, bool | int | float | str):
        wanted = "true or false" if parameter.is_flag else "a number or a text"
        raise ValueError(f"{path}: {key} is {wanted}, not {value!r}.")
    try:
        parameter.process_value(context, value)
    except typer.BadParameter as error:
        raise ValueError(f"{path}: {key}: {error.message}.") from None


def _anchored(value: Any, parameter: Any, path: Path) -> Any:
    """A file that the settings name lies beside them, unless they say more."""
    if parameter.multiple:
        return [_beside(each, path) for each in ([value] if isinstance(value, str) else value)]
    is_file = _key(parameter) in FILES and not is_postgres(value) and value not in ("", PRINTED)
    return str(path.parent / value) if is_file else value


def _beside(bot: str, path: Path) -> str:
    name, found, file = bot.partition(f"={NET}")
    return f"{name}{found}{path.parent / file}" if found else bot


def _show(key: str, value: Any) -> str:
    if key.endswith(SECRET):
        return "set" if value else "not set"
    if value is None or value in ("", [], ()):
        return "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _source(context: Any, parameter: Any) -> str:
    source = context.get_parameter_source(parameter.name).name
    if source == "ENVIRONMENT":
        return str(parameter.envvar)
    if source == "DEFAULT_MAP":
        return str(context.params["settings"])
    return {"COMMANDLINE": "flag", "DEFAULT": "usual"}[source]
