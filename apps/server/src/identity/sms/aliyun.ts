import { type SmsMessage, type SmsProvider, serviceAddress, SmsProviderError, smsTimeoutMs } from './provider.ts'

export interface AliyunSmsOptions {
  readonly accessKeyId: string
  readonly accessKeySecret: string
  /** The approved signature, shown in front of the text. */
  readonly signName: string
  /** The approved template; it takes `code` and `minutes`. */
  readonly templateCode: string
  /** Host of the service, or a whole address where it is not https. */
  readonly endpoint: string
}

/** Alibaba Cloud SMS, `SendSms` of 2017-05-25. The SDK is loaded with the first message. */
export function createAliyunSms(options: AliyunSmsOptions): SmsProvider {
  let loading: ReturnType<typeof connect> | null = null
  return {
    name: 'aliyun',
    send: async ({ phone, code, ttlMinutes }: SmsMessage) => {
      loading ??= connect(options)
      const { client, SendSmsRequest } = await loading
      const request = new SendSmsRequest({
        phoneNumbers: phone,
        signName: options.signName,
        templateCode: options.templateCode,
        templateParam: JSON.stringify({ code, minutes: String(ttlMinutes) }),
      })
      const { body } = await client.sendSms(request)
      if (body?.code !== 'OK') throw new SmsProviderError(`Aliyun refused the message: ${body?.code ?? 'no answer'}`)
    },
  }
}

async function connect(options: AliyunSmsOptions) {
  const [sms, core] = await Promise.all([import('@alicloud/dysmsapi20170525'), import('@alicloud/openapi-core')])
  const address = serviceAddress(options.endpoint)
  const config = new core.$OpenApiUtil.Config({
    accessKeyId: options.accessKeyId,
    accessKeySecret: options.accessKeySecret,
    endpoint: address.host,
    protocol: address.protocol.replace(':', '').toUpperCase(),
    connectTimeout: smsTimeoutMs,
    readTimeout: smsTimeoutMs,
  })
  return { client: new sms.default.default(config), SendSmsRequest: sms.SendSmsRequest }
}
