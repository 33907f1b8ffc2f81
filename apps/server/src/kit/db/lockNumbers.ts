/**
 * Names of the platform's locks among the advisory locks of its database, each a number that no other one has: two locks of one
 * number would wait for each other. A process of an older version must find them under the same numbers.
 */
export const lockNumbers = {
  migrations: 7_233_351,
  /** Held by each server as long as it runs. */
  server: 7_233_353,
  /** Held by every finance host, in shared mode: a server that would change the schema asks for it. */
  financeHosts: 7_233_354,
  jobs: 7_233_355,
  /** Held by a process of a cluster while it starts. */
  start: 7_233_356,
  mqttBroker: 7_233_357,
  logins: 7_233_362,
} as const
