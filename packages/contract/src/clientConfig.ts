import { z } from 'zod'
import { boundsSchema } from '#contract/telemetry/live.ts'

/** Empty: the address that served the page. Otherwise an origin, with or without a path, and no slash at its end. */
const hostSchema = z.string().max(200)

/** What the server tells the page in `<script type="application/json" id="saddle-config">`. No secrets: anyone may read it. */
export const clientConfigSchema = z.object({
  build: z.string(),
  /** The server's X25519 public key for the signing-key call, base64url. */
  serverKey: z.string(),
  /** Demo mode: the local SMS outbox may be read at `/outbox`, the theme drawer is shown. */
  demo: z.boolean(),
  /** Shown when asking whose address this is; no secret, as it stands in the page. */
  apiKey: z.string(),
  hosts: z.object({
    user: hostSchema,
    platform: hostSchema,
    finance: hostSchema,
    python: hostSchema,
    map: hostSchema,
  }),
  /** Third-party customer-service chat; null shows the built-in one. */
  chatScriptUrl: z.string().nullable(),
  /** `/tiles/{z}/{x}/{y}.pbf`; null draws no basemap. */
  tilesUrl: z.string().nullable(),
  /** Pictures of a map provider in the place of the offline tiles; null: none is configured. */
  tileProvider: z
    .object({
      /** Address with {z}, {x} and {y}. */
      url: z.string(),
      /** What the provider draws in. All coordinates of ours are WGS-84; only who fetches its tiles shifts them. */
      datum: z.enum(['wgs84', 'gcj02']),
      attribution: z.string(),
      maxZoom: z.int(),
    })
    .nullable(),
  city: z
    .object({
      name: z.string(),
      bounds: boundsSchema,
      centre: z.object({ lat: z.number(), lng: z.number() }),
      minZoom: z.number(),
      maxZoom: z.number(),
    })
    .nullable(),
  /** Plain http away from the machine itself, which ALLOW_HTTP lets through: shown in a banner. */
  insecureTransport: z.boolean(),
  serverTime: z.int(),
})
export type ClientConfig = z.infer<typeof clientConfigSchema>

/** Id of the element that carries the configuration. */
export const clientConfigElementId = 'saddle-config'
