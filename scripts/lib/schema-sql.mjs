// Prints the schema of a database as SQL that is meant to be read: sorted, stable, one block for each object.

/** The schemas whose objects are printed; those of daily partitions hold nothing that a migration made. */
const SCHEMAS = "('public')"
const ROLES = ['saddle_app', 'saddle_system']
const HEADER = `-- Generated from the database by \`npm run db:types\`. Do not edit: it shows what the migrations make, so that a review reads
-- the difference. Types, tables, sequences and functions, each sorted by name; what belongs to a table follows it.`

const QUERIES = {
  roles: `
    select rolname as name, rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication
    from pg_roles where rolname = any ($1) order by 1`,
  schemas: `
    select nspname as name, array_agg(g.grantee::regrole || ': ' || lower(g.privilege_type) order by g.grantee::regrole::text, g.privilege_type)
      filter (where g.grantee::regrole::text = any ($1)) as grants
    from pg_namespace n left join lateral aclexplode(n.nspacl) g on true
    where nspname !~ '^pg_' and nspname <> 'information_schema' group by 1 order by 1`,
  defaultGrants: `
    select d.defaclobjtype::text as kind, g.grantee::regrole::text as role,
      string_agg(lower(g.privilege_type), ', ' order by g.privilege_type) as rights
    from pg_default_acl d, aclexplode(d.defaclacl) g
    where g.grantee::regrole::text = any ($1) group by 1, 2 order by 1, 2`,
  types: `
    select t.typname as name, t.typtype::text as kind, format_type(t.typbasetype, t.typtypmod) as base, t.typnotnull,
      obj_description(t.oid, 'pg_type') as comment,
      (select string_agg(c.conname || ' ' || pg_get_constraintdef(c.oid), ' ' order by c.conname)
        from pg_constraint c where c.contypid = t.oid) as checks,
      (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
        as labels,
      (select array_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) order by a.attnum)
        from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) as fields
    from pg_type t left join pg_class c on c.oid = t.typrelid
    where t.typnamespace::regnamespace::text in ${SCHEMAS} and t.typtype in ('d', 'e', 'c')
      and (t.typrelid = 0 or c.relkind = 'c') order by 1`,
  relations: `
    select c.oid, c.relname as name, c.relkind::text as kind, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
      c.relowner::regrole::text = current_user as owned, c.relowner::regrole::text as owner, c.relpersistence::text as persistence,
      array_to_string(c.reloptions, ', ') as options, pg_get_partkeydef(c.oid) as partition_key,
      obj_description(c.oid, 'pg_class') as comment,
      case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid, true) end as definition
    from pg_class c
    where c.relnamespace::regnamespace::text in ${SCHEMAS} and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
    order by 2`,
  columns: `
    select a.attrelid as relation, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
      a.attidentity::text as identity, a.attgenerated::text as generated, pg_get_expr(d.adbin, d.adrelid) as value,
      a.attstorage <> t.typstorage as is_stored_otherwise, a.attstorage::text as storage, a.attacl is not null as has_grants,
      case when a.attcollation <> t.typcollation then a.attcollation::regcollation::text end as collation,
      col_description(a.attrelid, a.attnum) as comment, s.seqstart as first_id,
      (select array_agg(g.grantee::regrole || ': ' || lower(g.privilege_type) order by g.grantee::regrole::text, g.privilege_type) from aclexplode(a.attacl) g
        where g.grantee::regrole::text = any ($1)) as grants
    from pg_attribute a join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      left join pg_depend p on p.refclassid = 'pg_class'::regclass and p.refobjid = a.attrelid
        and p.refobjsubid = a.attnum and p.deptype = 'i' and a.attidentity <> ''
      left join pg_sequence s on s.seqrelid = p.objid
    where a.attnum > 0 and not a.attisdropped order by a.attrelid, a.attnum`,
  constraints: `
    select conrelid as relation, conname as name, contype::text as kind, pg_get_constraintdef(oid, true) as definition
    from pg_constraint where conrelid <> 0 and contype in ('p', 'u', 'f', 'c', 'x') and conparentid = 0
    order by conrelid, array_position(array['p', 'u', 'x', 'f', 'c'], contype::text), conname`,
  indexes: `
    select i.indrelid as relation, i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i where not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x'))
    order by i.indrelid, 2`,
  policies: `
    select polrelid as relation, polname as name, polcmd::text as command,
      array(select r::regrole::text from unnest(polroles) r order by 1) as roles, polpermissive as permissive,
      pg_get_expr(polqual, polrelid) as visible, pg_get_expr(polwithcheck, polrelid) as writable
    from pg_policy order by polrelid, polname`,
  triggers: `
    select tgrelid as relation, tgname as name, pg_get_triggerdef(oid, true) as definition, tgenabled::text as enabled
    from pg_trigger where not tgisinternal order by tgrelid, tgname`,
  grants: `
    select c.oid as relation, g.grantee::regrole::text as role,
      string_agg(lower(g.privilege_type), ', ' order by g.privilege_type) as rights
    from pg_class c, aclexplode(c.relacl) g
    where g.grantee::regrole::text = any ($1) group by 1, 2 order by 1, 2`,
  sequences: `
    select c.relname as name, format_type(s.seqtypid, null) as type, s.seqstart, s.seqincrement, s.seqcycle,
      (select array_agg(g.grantee::regrole || ': ' || lower(g.privilege_type) order by g.grantee::regrole::text, g.privilege_type) from aclexplode(c.relacl) g
        where g.grantee::regrole::text = any ($1)) as grants
    from pg_class c join pg_sequence s on s.seqrelid = c.oid
    where c.relnamespace::regnamespace::text in ${SCHEMAS} order by 1`,
  functions: `
    select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition, obj_description(p.oid, 'pg_proc') as comment,
      array(select r from unnest($1::text[]) r where has_function_privilege(r, p.oid, 'execute') order by 1) as callers,
      coalesce((select bool_or(g.grantee = 0) from aclexplode(p.proacl) g), true) as is_public
    from pg_proc p where p.pronamespace::regnamespace::text in ${SCHEMAS} and p.prokind in ('f', 'p') order by 1`,
  aggregates: `
    select p.oid::regprocedure::text as name, a.aggtransfn::text as transition, a.aggtranstype::regtype::text as state,
      a.aggfinalfn::text as final, a.agginitval as initial,
      array(select r from unnest($1::text[]) r where has_function_privilege(r, p.oid, 'execute') order by 1) as callers
    from pg_proc p join pg_aggregate a on a.aggfnoid = p.oid
    where p.pronamespace::regnamespace::text in ${SCHEMAS} order by 1`,
}

const literal = (text) => `'${text.replaceAll("'", "''")}'`
const OBJECTS = { r: 'tables', S: 'sequences', f: 'functions', T: 'types', n: 'schemas' }
const COMMANDS = { '*': 'all', r: 'select', a: 'insert', w: 'update', d: 'delete' }
const STORAGES = { p: 'plain', e: 'external', m: 'main', x: 'extended' }

/** `client` is a connection as the owner of the tables. */
export async function printSchema(client) {
  const catalogue = {}
  await client.query("set search_path = public, pg_catalog; set timezone = 'UTC'; set datestyle = 'ISO'")
  for (const [name, query] of Object.entries(QUERIES))
    catalogue[name] = (await client.query(query, query.includes('$1') ? [ROLES] : [])).rows
  const of = (kind, oid) => catalogue[kind].filter((row) => row.relation === oid)
  const blocks = [
    HEADER,
    catalogue.roles.map(printRole).join('\n'),
    catalogue.schemas.map(printSchemaRights).join('\n'),
    catalogue.defaultGrants
      .map(({ kind, role, rights }) => `alter default privileges grant ${rights} on ${OBJECTS[kind]} to ${role};`)
      .join('\n'),
    ...catalogue.types.map(printType),
    ...catalogue.relations.map((relation) => printRelation(relation, (kind) => of(kind, relation.oid))),
    catalogue.sequences.map(printSequence).join('\n'),
    ...catalogue.aggregates.map(printAggregate),
    ...catalogue.functions.map(printFunction),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function printRole({ name, ...flags }) {
  const rights = Object.entries(flags).filter(([, is]) => is)
  return `create role ${name}; -- ${rights.length === 0 ? 'no attribute' : rights.map(([flag]) => flag.slice(3)).join(', ')}`
}

function printSchemaRights({ name, grants }) {
  return [`-- schema ${name}`, ...(grants ?? []).map((grant) => `--   ${grant}`)].join('\n')
}

function printType({ name, kind, base, typnotnull, comment, checks, labels, fields }) {
  const definition = {
    d: () =>
      `create domain ${name} as ${base}${typnotnull ? ' not null' : ''}${checks === null ? '' : ` constraint ${checks}`};`,
    e: () => `create type ${name} as enum (${labels});`,
    c: () => `create type ${name} as (\n  ${fields.join(',\n  ')}\n);`,
  }[kind]()
  return comment === null ? definition : `${definition}\ncomment on type ${name} is ${literal(comment)};`
}

function printRelation(relation, of) {
  const { name, kind, comment } = relation
  const isView = kind === 'v' || kind === 'm'
  const noun = isView ? 'view' : 'table'
  const columns = of('columns')
  const lines = isView ? [printView(relation)] : [printTable(relation, columns, of('constraints'))]
  if (comment !== null) lines.push(`comment on ${noun} ${name} is ${literal(comment)};`)
  for (const column of columns) {
    if (column.comment !== null) lines.push(`comment on column ${name}.${column.name} is ${literal(column.comment)};`)
    if (column.is_stored_otherwise)
      lines.push(`alter table ${name} alter column ${column.name} set storage ${STORAGES[column.storage]};`)
  }
  if (!relation.owned) lines.push(`alter ${noun} ${name} owner to ${relation.owner};`)
  lines.push(...of('indexes').map(({ definition }) => `${plain(definition)};`))
  if (relation.secured) lines.push(`alter table ${name} enable row level security;`)
  if (relation.forced) lines.push(`alter table ${name} force row level security;`)
  lines.push(...of('policies').map((policy) => printPolicy(name, policy)))
  lines.push(...of('grants').map(({ role, rights }) => `grant ${rights} on ${name} to ${role};`))
  for (const column of columns)
    lines.push(...(column.grants ?? []).map((grant) => `-- column ${name}.${column.name}: ${grant}`))
  lines.push(
    ...of('triggers').map(
      ({ definition, enabled }) => `${plain(definition)};${enabled === 'O' ? '' : ` -- enabled: ${enabled}`}`,
    ),
  )
  return lines.join('\n')
}

function printView({ name, kind, options, definition }) {
  return `create ${kind === 'm' ? 'materialized ' : ''}view ${name}${options === null || options === '' ? '' : ` with (${options})`} as\n${definition}`
}

function printTable({ name, persistence, options, partition_key: partitionKey }, columns, constraints) {
  const items = [
    ...columns.map(printColumn),
    ...constraints.map((constraint) => `constraint ${constraint.name} ${plain(constraint.definition)}`),
  ]
  return [
    `create ${persistence === 'u' ? 'unlogged ' : ''}table ${name} (`,
    `  ${items.join(',\n  ')}`,
    `)${partitionKey === null ? '' : ` partition by ${partitionKey}`}${options === null || options === '' ? '' : ` with (${options})`};`,
  ].join('\n')
}

function printColumn({ name, type, required, identity, generated, value, collation, first_id: firstId }) {
  const kinds = { a: 'always', d: 'by default' }
  return [
    `${name} ${type}`,
    collation === null ? '' : `collate ${collation}`,
    required ? 'not null' : '',
    identity === '' ? '' : `generated ${kinds[identity]} as identity (start with ${firstId})`,
    generated === '' ? '' : `generated always as (${plain(value)}) ${generated === 's' ? 'stored' : 'virtual'}`,
    generated === '' && value !== null ? `default ${plain(value)}` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function printPolicy(table, { name, command, roles, permissive, visible, writable }) {
  return [
    `create policy ${name} on ${table}${permissive ? '' : ' as restrictive'} for ${COMMANDS[command]} to ${roles.join(', ')}`,
    visible === null ? '' : `  using (${flat(visible)})`,
    writable === null ? '' : `  with check (${writable === visible ? 'the same' : flat(writable)})`,
  ]
    .filter((line) => line !== '')
    .join('\n')
    .concat(';')
}

function printSequence({ name, type, seqstart, seqincrement, seqcycle, grants }) {
  return `-- sequence ${name} ${type}, from ${seqstart} by ${seqincrement}${seqcycle ? ', cycles' : ''}: ${(grants ?? []).join(', ')}`
}

function printAggregate({ name, transition, state, final, initial, callers }) {
  return `create aggregate ${name} (sfunc = ${transition}, stype = ${state}${final === '-' ? '' : `, finalfunc = ${final}`}${initial === null ? '' : `, initcond = ${literal(initial)}`}); -- for ${callers.join(', ')}`
}

function printFunction({ name, definition, comment, callers, is_public: isPublic }) {
  return [
    `${plain(definition).trimEnd()};`,
    `-- execute ${name}: ${[...(isPublic ? ['public'] : []), ...callers].join(', ') || 'its owner'}`,
    ...(comment === null ? [] : [`comment on function ${name} is ${literal(comment)};`]),
  ].join('\n')
}

/** Names of the public schema without it. */
const plain = (text) => text.replaceAll(/\bpublic\./g, '')
const flat = (text) => plain(text).replaceAll(/\s+/g, ' ')
