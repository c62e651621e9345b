"""The command `mozaika`, which is also `python -m mozaika`: it says what is missing if it cannot run."""

import sys

SERVES = ("apsw", "jinja2", "litestar", "prometheus_client", "uvicorn")


def main() -> None:
    """Run the command line."""
    try:
        from mozaika import cli

        cli.main()
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "mozaika":
            raise
        extra = (
            "postgres"
            if missing == "asyncpg"
            else "serve"
            if missing in SERVES or sys.argv[1:2] == ["serve"]
            else "lab"
        )
        sentence = f"This command needs {missing}, which is not installed: pip install 'mozaika[{extra}]'."
        print(sentence, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
