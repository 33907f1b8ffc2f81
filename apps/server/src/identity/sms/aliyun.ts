import { createRequire } from 'node:module'
import type Sms from '@alicloud/dysmsapi20170525'
import type Core from '@alicloud/openapi-core'
import {
  type SmsMessage,
  type SmsProvider,
  type SmsText,
  serviceAddress,
  SmsProviderError,
  smsTimeoutMs,
} from './provider.ts'

export interface AliyunSmsOptions {
  readonly accessKeyId: string
  readonly accessKeySecret: string
  /** The approved signature, shown in front of the text. */
  readonly signName: string
  /** The approved template; it takes `code` and `minutes`. */
  readonly templateCode: string
  /** The approved template of notices; it takes `text`. */
  readonly noticeTemplate: string | undefined
  /** Host of the service, or a whole address where it is not https. */
  readonly endpoint: string
}

/** Alibaba Cloud SMS, `SendSms` of 2017-05-25. The SDK is loaded with the first message. */
export function createAliyunSms(options: AliyunSmsOptions): SmsProvider {
  let connected: ReturnType<typeof connect> | null = null
  const send = async (phone: string, templateCode: string, values: Readonly<Record<string, string>>) => {
    connected ??= connect(options)
    const { client, SendSmsRequest } = connected
    const request = new SendSmsRequest({
      phoneNumbers: phone,
      signName: options.signName,
      templateCode,
      templateParam: JSON.stringify(values),
    })
    const { body } = await client.sendSms(request)
    if (body?.code !== 'OK') throw new SmsProviderError(`Aliyun refused the message: ${body?.code ?? 'no answer'}`)
  }
  const { noticeTemplate } = options
  return {
    name: 'aliyun',
    send: ({ phone, code, ttlMinutes }: SmsMessage) =>
      send(phone, options.templateCode, { code, minutes: String(ttlMinutes) }),
    ...(noticeTemplate !== undefined && {
      sendText: ({ phone, text }: SmsText) => send(phone, noticeTemplate, { text }),
    }),
  }
}

function connect(options: AliyunSmsOptions) {
  // `require` instead of `import`: loaders disagree about `default` of a CommonJS module.
  const load = createRequire(import.meta.url)
  const sms = load('@alicloud/dysmsapi20170525') as typeof Sms
  const core = load('@alicloud/openapi-core') as typeof Core
  const address = serviceAddress(options.endpoint)
  const config = new core.$OpenApiUtil.Config({
    accessKeyId: options.accessKeyId,
    accessKeySecret: options.accessKeySecret,
    endpoint: address.host,
    protocol: address.protocol.replace(':', '').toUpperCase(),
    connectTimeout: smsTimeoutMs,
    readTimeout: smsTimeoutMs,
  })
  return { client: new sms.default(config), SendSmsRequest: sms.SendSmsRequest }
}
