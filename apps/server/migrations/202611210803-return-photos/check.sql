select 'return_photo is behind row level security' as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where relname = 'return_photo';
