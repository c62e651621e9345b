#!/usr/bin/env bash
# A backup of all games every night, whole or not at all; old ones go.
set -euo pipefail
folder="${BACKUPS:-/backups}"

back_up() {
    local file
    file="$folder/mozaika-$(date +%Y%m%d-%H%M%S).dump"
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
    back_up || { echo "The backup has failed; it is tried again in an hour." >&2; hours=1; }
    sleep $((hours * 3600))
done
