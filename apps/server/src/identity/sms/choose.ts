import type { Clock } from '#kit/clock.ts'
import { type Config, ConfigError } from '#kit/config.ts'
import { createAliyunSms } from './aliyun.ts'
import { createSmsOutbox, type SmsOutbox } from './outbox.ts'
import type { SmsProvider } from './provider.ts'
import { createTencentSms } from './tencent.ts'

/** The configured provider, and the outbox if it is the provider. Throws ConfigError when a value is missing. */
export function chooseSmsProvider(kit: { config: Config; clock: Clock }): {
  provider: SmsProvider
  outbox: SmsOutbox | null
} {
  if (kit.config.smsProvider !== 'outbox') return { provider: remoteProvider(kit.config), outbox: null }
  const outbox = createSmsOutbox(kit)
  return { provider: outbox, outbox }
}

function remoteProvider(config: Config): SmsProvider {
  if (config.smsProvider === 'aliyun') {
    return createAliyunSms({
      accessKeyId: needed('SMS_ALIYUN_KEY_ID', config.smsAliyunKeyId),
      accessKeySecret: needed('SMS_ALIYUN_KEY_SECRET', config.smsAliyunKeySecret),
      signName: needed('SMS_SIGN_NAME', config.smsSignName),
      templateCode: needed('SMS_TEMPLATE', config.smsTemplate),
      noticeTemplate: config.smsNoticeTemplate,
      endpoint: config.smsAliyunEndpoint,
    })
  }
  return createTencentSms({
    secretId: needed('SMS_TENCENT_SECRET_ID', config.smsTencentSecretId),
    secretKey: needed('SMS_TENCENT_SECRET_KEY', config.smsTencentSecretKey),
    sdkAppId: needed('SMS_TENCENT_APP_ID', config.smsTencentAppId),
    signName: needed('SMS_SIGN_NAME', config.smsSignName),
    templateId: needed('SMS_TEMPLATE', config.smsTemplate),
    noticeTemplate: config.smsNoticeTemplate,
    region: config.smsTencentRegion,
    endpoint: config.smsTencentEndpoint,
  })
}

function needed(name: string, value: string | undefined): string {
  if (value === undefined) throw new ConfigError(`Configuration: ${name} is missing`)
  return value
}
