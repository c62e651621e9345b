#!/usr/bin/env bash
# A backup of all games every day, whole or not at all; old ones go.
set -euo pipefail
folder="${BACKUPS:-/backups}"

back_up() {
    file="$folder/mozaika-$(date +%Y%m%d-%H%M%S).dump"
    trap 'rm -f "$file.part"' EXIT
    # jobs are thoughts under way: whoever waits for one asks again
    pg_dump --format=custom --exclude-table-data=jobs --file="$file.part"
    pg_restore --list "$file.part" >/dev/null
    mv "$file.part" "$file"
    find "$folder" -name 'mozaika-*.dump' -mtime "+$KEEP_DAYS" -delete
    echo "$file is written."
}

if [[ "${1:-}" == now ]]; then
    back_up
    exit
fi
while true; do
    hours=24
    # a process of its own, which ends at the first fault: a function before || would go on
    bash "$0" now || { echo "The backup has failed; it is tried again in an hour." >&2; hours=1; }
    sleep $((hours * 3600))
done
