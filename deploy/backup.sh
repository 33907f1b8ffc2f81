#!/bin/sh
# Makes a backup, proves it by a restore, and removes all but the newest ones: backup.sh <folder> <kept>
# Runs in the folder of the clone with the settings of the server in its environment. Old backups are removed whether or not the new one
# is made and proved, but never the newest proved one.
set -eu
folder=$1
kept=$2
node=node_modules/node/bin/node
commands=apps/server/src/app/backup
data=${DATA_DIR:-data}
run() {
  script=$1
  shift
  "$node" --disable-warning=ExperimentalWarning "$commands/$script" "$@" 9>&-
}

mkdir -p "$folder"
# One at a time: an unfinished backup is then one that nobody goes on with.
exec 9>"$folder/.lock"
flock -n 9 || { echo "backup.sh: another one runs on $folder" >&2; exit 1; }
for place in "$data" /etc/saddle; do
  if [ -e "$place" ] && [ "$(stat -c %d "$place")" = "$(stat -c %d "$folder")" ]; then
    echo "backup.sh: $folder is on the disk of $place and is lost with it; keep backups on another one" >&2
  fi
done

# Newest first. A backup is whole when it has its manifest.
all() { ls -1d "$folder"/20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9][0-9][0-9][0-9][0-9]Z 2>/dev/null | sort -r || true; }
remove_unfinished() {
  all | while read -r one; do
    if [ ! -e "$one/manifest.json" ]; then rm -rf "$one"; fi
  done
}
# While none is noted as proved, the oldest one may be the last good one.
last_good() {
  all | while read -r one; do
    if [ -e "$one/proved" ]; then echo "$one"; fi
  done | head -n 1 | grep . || all | tail -n 1
}
remove_old() {
  good=$(last_good)
  all | tail -n "+$((kept + 1))" | while read -r old; do
    if [ "$old" != "$good" ]; then rm -rf "$old"; fi
  done
}

remove_unfinished
new="$folder/$(date -u +%Y-%m-%dT%H%M%SZ)"
status=0
if run backupCli.ts "$new"; then
  if run verifyBackupCli.ts "$new"; then : >"$new/proved"; else status=1; fi
else
  status=1
fi
remove_unfinished
remove_old
exit "$status"
