"""HTTP: pages, API and event stream. No decisions about games are made here."""
