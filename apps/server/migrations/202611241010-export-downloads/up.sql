-- When the audit log last noted that the file was fetched; null: nobody has fetched it.
alter table export_job add column downloaded_at timestamptz;
