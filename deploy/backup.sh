#!/bin/sh
# Makes a backup, proves it by a restore, and removes all but the newest ones: backup.sh <folder> <kept>
# Runs in the folder of the clone with the settings of the server in its environment.
set -eu
folder=$1
kept=$2
node=node_modules/node/bin/node
commands=apps/server/src/app/backup
new="$folder/$(date -u +%Y-%m-%dT%H%M%SZ)"
"$node" --disable-warning=ExperimentalWarning "$commands/backupCli.ts" "$new"
"$node" --disable-warning=ExperimentalWarning "$commands/verifyBackupCli.ts" "$new"
# Only whole backups are counted: they have a manifest.
for old in $(ls -1d "$folder"/20*Z | sort -r); do
  [ -e "$old/manifest.json" ] || continue
  if [ "$kept" -gt 0 ]; then kept=$((kept - 1)); else rm -rf "$old"; fi
done
