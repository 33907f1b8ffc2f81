import {
  type SmsMessage,
  type SmsProvider,
  type SmsText,
  serviceAddress,
  SmsProviderError,
  smsTimeoutMs,
} from './provider.ts'

export interface TencentSmsOptions {
  readonly secretId: string
  readonly secretKey: string
  /** Number of the SMS application. */
  readonly sdkAppId: string
  readonly signName: string
  /** The approved template; its two places are the code and the minutes. */
  readonly templateId: string
  /** The approved template of notices; its one place is the text. */
  readonly noticeTemplate: string | undefined
  readonly region: string
  /** Host of the service, or a whole address where it is not https. */
  readonly endpoint: string
}

/** Tencent Cloud SMS, `SendSms` of 2021-01-11. The SDK is loaded with the first message. */
export function createTencentSms(options: TencentSmsOptions): SmsProvider {
  let loading: ReturnType<typeof connect> | null = null
  const send = async (phone: string, templateId: string, values: string[]) => {
    loading ??= connect(options)
    const client = await loading
    const answer = await client.SendSms({
      PhoneNumberSet: [`+86${phone}`],
      SmsSdkAppId: options.sdkAppId,
      SignName: options.signName,
      TemplateId: templateId,
      TemplateParamSet: values,
    })
    const status = answer.SendStatusSet?.[0]?.Code
    if (status !== 'Ok') throw new SmsProviderError(`Tencent refused the message: ${status ?? 'no answer'}`)
  }
  const { noticeTemplate } = options
  return {
    name: 'tencent',
    send: ({ phone, code, ttlMinutes }: SmsMessage) => send(phone, options.templateId, [code, String(ttlMinutes)]),
    ...(noticeTemplate !== undefined && {
      sendText: ({ phone, text }: SmsText) => send(phone, noticeTemplate, [text]),
    }),
  }
}

async function connect(options: TencentSmsOptions) {
  const { sms } = await import('tencentcloud-sdk-nodejs-sms')
  const address = serviceAddress(options.endpoint)
  return new sms.v20210111.Client({
    credential: { secretId: options.secretId, secretKey: options.secretKey },
    region: options.region,
    profile: {
      signMethod: 'TC3-HMAC-SHA256',
      httpProfile: { endpoint: address.host, protocol: `${address.protocol}//`, reqTimeout: smsTimeoutMs / 1000 },
    },
  })
}
