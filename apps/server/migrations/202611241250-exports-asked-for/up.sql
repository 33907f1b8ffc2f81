-- Whether the file's person asked for it; of a file that a schedule had made, the schedule tells them.
alter table export_job add column is_asked boolean not null default true;
update export_job e set is_asked = false from report_delivery d where d.export_id = e.export_id;
