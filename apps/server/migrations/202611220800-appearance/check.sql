select 'roles that change companies change how they look' as what, not exists (
  select from role_permission has where has.code = '1101' and not exists (
    select from role_permission look where look.role_id = has.role_id and look.code = '110102')) as ok;
