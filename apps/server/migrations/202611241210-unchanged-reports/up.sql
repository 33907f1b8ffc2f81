alter table device_report add column unchanged integer not null default 0 check (unchanged >= 0);
comment on column device_report.unchanged is 'Reports before it that said the same and are not kept.';
comment on table device_report is 'Every message of a device that says something new; one partition for each day of its device time.';
