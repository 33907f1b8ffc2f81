alter table rework drop constraint rework_reason_check;
set local role saddle_system;
update rework set reason = '' where test_id is not null;
reset role;
alter table rework
  alter column reason set default '',
  -- Of a failed test the steps say what is wrong.
  add constraint rework_reason_check check (char_length(reason) <= 200 and (test_id is not null or reason <> ''));

-- Steps of a failed test as codes; null: another event, or a test from before this column, whose note has them in words.
alter table unit_event add column failures jsonb
  check (failures is null or (jsonb_typeof(failures) = 'array' and kind = 'test_failed'));
