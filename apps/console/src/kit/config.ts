import { clientConfigElementId, type ClientConfig } from '@saddle/contract/clientConfig.ts'

/** Default configuration when the page is not served by the platform (unit tests, a bare dev server). */
const standalone: ClientConfig = {
  build: 'dev',
  serverKey: '',
  demo: false,
  apiKey: '',
  hosts: { user: '', platform: '', finance: '', python: '', map: '' },
  chatScriptUrl: null,
  tilesUrl: null,
  tileProvider: null,
  city: null,
  insecureTransport: false,
  serverTime: 0,
}

let current: ClientConfig | null = null

/** The configuration that the server wrote into the page. */
export function clientConfig(): ClientConfig {
  current ??= readConfig()
  return current
}

/** For tests: replaces parts of the configuration. */
export function overrideConfig(parts: Partial<ClientConfig>): void {
  current = { ...standalone, ...parts }
}

function readConfig(): ClientConfig {
  const text = document.getElementById(clientConfigElementId)?.textContent?.trim() ?? ''
  if (!text.startsWith('{')) return standalone
  // Our own server wrote it into this page with the same contract type, so it is not validated again.
  return { ...standalone, ...(JSON.parse(text) as Partial<ClientConfig>) }
}

/** Nonce that lets inserted style elements pass the content security policy; undefined without a policy. */
export function styleNonce(): string | undefined {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce
  return nonce === undefined || nonce === '' || nonce === '__NONCE__' ? undefined : nonce
}
