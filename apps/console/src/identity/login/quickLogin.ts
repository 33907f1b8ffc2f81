import { coreErrorText } from '@saddle/contract/coreErrors.ts'
import { loginEndpoints } from '@saddle/contract/identity/login.ts'
import { call, isApiError } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { LoginError } from './error.ts'
import { establishSession, registerForSupport } from './session.ts'

/** Logs in with the `origin` of a link; true when somebody is logged in then. A failure has already been shown. */
export async function quickLogin(origin: string): Promise<boolean> {
  try {
    const { data: ticket } = await call(loginEndpoints.verifySign, { origin }, { quiet: true })
    const { opManId } = ticket
    const { data } = await call(loginEndpoints.loginAuthorised, { opManId }, { quiet: true })
    await establishSession(data, opManId)
    void registerForSupport()
    notify.success({ title: t('欢迎'), text: t('登陆成功') })
    return true
  } catch (error) {
    notify.error({ title: t('登录失败'), text: t(textOf(error)) })
    return false
  }
}

function textOf(error: unknown): string {
  if (error instanceof LoginError) return error.message
  return isApiError(error) ? error.promot : coreErrorText('quick_login_invalid')
}
