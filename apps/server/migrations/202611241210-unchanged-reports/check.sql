select 'every report stands for itself at least' as what, not exists (
  select from device_report where unchanged < 0
) as ok;
