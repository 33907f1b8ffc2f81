select 'telephone lines keep their versions: ' || tgname as what, tgenabled = 'O' as ok
from pg_trigger where tgname in ('keep_telephone_version_made', 'keep_telephone_version_changed');

set local role saddle_system;
select 'every telephone line has its version' as what, not exists (
  select from telephone_line l where not exists (
    select from telephone_version v where v.line_id = l.id and v.version = l.version and v.content = telephone_content(l))) as ok;
reset role;
