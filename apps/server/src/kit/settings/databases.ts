import { postgresAddress, variable, whole, yesOrNo } from './forms.ts'

/** Where the database is, and what stands before or beside it. */
export const databaseVariables = {
  databaseUrl: variable({
    name: 'DATABASE_URL',
    about: 'PostgreSQL 15 or newer to use instead of the embedded one.',
    schema: postgresAddress.optional(),
    secret: true,
  }),
  databaseAppUrl: variable({
    name: 'DATABASE_APP_URL',
    about:
      'The same database for requests, as a login that is a member of `saddle_app` alone. With `DATABASE_SYSTEM_URL`; without both, `saddle_app_login` and `saddle_system_login` are made where the user of `DATABASE_URL` may.',
    schema: postgresAddress.optional(),
    secret: true,
  }),
  databaseSystemUrl: variable({
    name: 'DATABASE_SYSTEM_URL',
    about: 'The same database for background work, as a login that is a member of `saddle_system` alone.',
    schema: postgresAddress.optional(),
    secret: true,
  }),
  databasePooler: variable({
    name: 'DATABASE_POOLER',
    about:
      '`true`: `DATABASE_APP_URL` and `DATABASE_SYSTEM_URL` lead through a pooler in transaction mode, such as pgbouncer; see operations.md. `DATABASE_URL` never does: locks and notifications need a session.',
    schema: yesOrNo,
    fallback: 'false',
  }),
  databaseReadUrl: variable({
    name: 'DATABASE_READ_URL',
    about:
      'A replica of the same database, from which reports and files of lists are read. It answers with everything that was committed when it is asked; while it cannot, the primary answers. The user and password of `DATABASE_APP_URL` and `DATABASE_SYSTEM_URL`, where they are set, hold there too; otherwise those of `DATABASE_URL`.',
    schema: postgresAddress.optional(),
    secret: true,
  }),
  databaseReadWaitMs: variable({
    name: 'DATABASE_READ_WAIT_MS',
    about:
      'How long the replica may take to come as far as the primary was when a report or a file was asked for, in ms.',
    schema: whole({ min: 0, max: 60_000 }),
    fallback: '2000',
  }),
}
