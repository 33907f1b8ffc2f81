import { natsServers, services, SERVER_SERVICES, variable, yesOrNo } from './forms.ts'

/** What this process runs, and whether it is the only one. */
export const processVariables = {
  services: variable({
    name: 'SERVICES',
    about:
      'Services of this process; `--services` on the command line wins. These three, with `CLUSTER=true` any of them, or `finance` alone: the finance calls in a process of their own beside the server, see operations.md. Anything else is refused.',
    schema: services,
    fallback: SERVER_SERVICES.join(','),
  }),
  cluster: variable({
    name: 'CLUSTER',
    about:
      '`true`: this process is one of several that share the database, each with some of the services, see operations.md. All need the same `DATABASE_URL` and `SADDLE_SECRET`.',
    schema: yesOrNo,
    fallback: 'false',
  }),
  natsUrl: variable({
    name: 'NATS_URL',
    about:
      'NATS servers that carry the bus between the processes of a cluster, separated by commas: `nats://user:password@host:4222` or `tls://…`, a token in the place of the user. Without it the database carries it.',
    schema: natsServers.optional(),
    secret: true,
  }),
}
