import { AppError } from '@saddle/contract/errors.ts'
import { mdsPolicyLimits } from '@saddle/contract/feeds/policy.ts'
import type { Kit } from '#kit/kit.ts'
import { faultOf } from '#kit/retry.ts'
import { webhookFault, type sendOutside } from '#kit/webhook.ts'

/** What cities answer policies and geographies with. */
const accept = 'application/vnd.mds+json;version=2.0, application/json'

/**
 * Reads both documents of a city: `/policies` and `/geographies` below its address. Throws `webhook_address` and
 * `webhook_private` for an address that must not be called, and `mds_policies_unread` where nothing is answered.
 */
export async function fetchDocuments(
  { config, log }: Pick<Kit, 'config' | 'log'>,
  send: typeof sendOutside,
  url: string,
): Promise<{ readonly policies: string; readonly geographies: string }> {
  const fault = webhookFault(url, config.noticeLocalWebhooks)
  if (fault !== null) throw new AppError(fault === 'private' ? 'webhook_private' : 'webhook_address')
  const base = url.replace(/\/+$/, '')
  const read = async (path: string): Promise<string> => {
    const refuse = (detail: string, cause?: unknown): never => {
      throw new AppError('mds_policies_unread', { values: { detail: `${path} ${detail}` }, cause })
    }
    try {
      const { status, text } = await send({
        url: base + path,
        method: 'GET',
        text: '',
        headers: { accept, 'user-agent': 'Saddle-MDS' },
        isLocalAllowed: config.noticeLocalWebhooks,
        charsMax: mdsPolicyLimits.fetchedMax,
      })
      if (status !== 200) return refuse(`HTTP ${status}`)
      return text.length >= mdsPolicyLimits.fetchedMax ? refuse('too long') : text
    } catch (err) {
      if (err instanceof AppError) throw err
      log.warn({ err }, 'policies of a city were not read')
      return refuse(faultOf(err), err)
    }
  }
  return { policies: await read('/policies'), geographies: await read('/geographies') }
}
