"""`python -m mozaika.cli` is `mozaika`."""

from mozaika.cli import main

main()
