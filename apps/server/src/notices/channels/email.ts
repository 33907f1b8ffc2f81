import { createTransport, type Transporter } from 'nodemailer'
import { RefusedError } from '#kit/webhook.ts'
import { type Channel, sendTimeoutMs } from './channel.ts'

export interface MailOptions {
  /** `smtps://user:password@host:465` or `smtp://host:587`. */
  readonly url: string
  readonly from: string
  /** Address of the console; null: letters carry no link. */
  readonly publicUrl: string | null
}

const poolSize = 4
const firstPermanentCode = 500

/** E-mail by SMTP. The connection is made with the first letter. */
export function createMailChannel({ url, from, publicUrl }: MailOptions): Channel & { close(): void } {
  let transport: Transporter | null = null
  return {
    state: 'on',
    send: async ({ id, to, title, body, path }) => {
      transport ??= createTransport({
        url,
        pool: true,
        maxConnections: poolSize,
        connectionTimeout: sendTimeoutMs,
        greetingTimeout: sendTimeoutMs,
        socketTimeout: sendTimeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      } as Parameters<typeof createTransport>[0])
      const link = publicUrl === null || path === '' ? '' : `\n\n${publicUrl}/console/#${path}`
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject: title,
          text: `${body}${link}`,
          messageId: `<notice-${id}@${domainOf(from)}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw isAboutLetter(error) ? new RefusedError('the mail server refused the letter', { cause: error }) : error
      }
    },
    close: () => transport?.close(),
  }
}

/** Whether the server refused this letter for good. A wrong password or certificate is ours to mend: it is tried again. */
const isAboutLetter = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') &&
  'responseCode' in error &&
  Number(error.responseCode) >= firstPermanentCode

const domainOf = (from: string): string => /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
