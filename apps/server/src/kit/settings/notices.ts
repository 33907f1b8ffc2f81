import { z } from 'zod'
import { optionalText, variable, yesOrNo } from './forms.ts'

/** Channels by which staff are told outside of the console. */
export const noticeVariables = {
  smtpUrl: variable({
    name: 'SMTP_URL',
    about:
      'Mail server for notices, e.g. `smtps://user:password@mail.example.com:465`. Without it letters are kept in `outbox/notices` of the data folder where `SMS_PROVIDER` is `outbox`, and otherwise not sent.',
    schema: z.url({ protocol: /^smtps?$/, error: 'must be an smtp(s):// address' }).optional(),
    secret: true,
  }),
  smtpFrom: variable({
    name: 'SMTP_FROM',
    about: 'Sender of these letters, e.g. `Saddle <notices@example.com>`; needed with `SMTP_URL`.',
    schema: optionalText,
  }),
  smsNoticeTemplate: variable({
    name: 'SMS_NOTICE_TEMPLATE',
    about:
      'Template that the SMS provider approved for notices; it takes one value (`text` at Aliyun). Without it no notices are sent by SMS.',
    schema: optionalText,
  }),
  noticeLocalWebhooks: variable({
    name: 'NOTICE_LOCAL_WEBHOOKS',
    about:
      'Whether webhooks of notices and of partners, and cities, may be told by plain http and in private networks. A company could then have the platform call its own network: for trying out only.',
    schema: yesOrNo,
    fallback: 'false',
  }),
} as const
