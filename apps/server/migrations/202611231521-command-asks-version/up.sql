alter table vehicle_command
  drop constraint vehicle_command_kind_check,
  add constraint vehicle_command_kind_check check (kind in
    ('unlock', 'lock', 'ring', 'open_battery', 'power_off', 'restart', 'locate', 'ask_version', 'set_parameters'));
