import { loginEndpoints, type LoginData } from '@saddle/contract/identity/login.ts'
import { call, isApiError } from '#kit/api/client.ts'
import { LoginError } from './error.ts'
import { establishSession } from './session.ts'

/** What the device-binding call names; the device itself is known by the server's own cookie. */
const thisDevice = { device_type: 'web', device_code: 'saddle-console', device_name: 'Saddle console' } as const

interface Credentials {
  readonly phone: string
  readonly code: string
  /** Called when the code was correct, before the remaining steps. */
  readonly onVerified: () => void
}

/** Asks for an SMS code. Throws `LoginError` with the server's text. */
export async function sendCode(phone: string): Promise<void> {
  try {
    await call(loginEndpoints.requestSmsCode, { mobilePhoneNumber: phone }, { quiet: true })
  } catch (error) {
    if (!isApiError(error)) throw new LoginError('登录异常', { cause: error })
    throw new LoginError(error.promot, { cause: error, retryAfterS: error.retryAfterS })
  }
}

/**
 * The login of section 7: user, code, device, operator, session, keys.
 * Throws `LoginError` with the text of the step that failed.
 */
export async function login({ phone, code, onVerified }: Credentials): Promise<void> {
  await verifyCode(phone, code)
  onVerified()
  await bindDevice(phone)
  const opManId = await lookUpOperator(phone)
  const data = await openSession(opManId)
  await establishSession(data, opManId)
}

async function verifyCode(phone: string, code: string): Promise<void> {
  try {
    await call(loginEndpoints.lookUpUser, { mobilePhoneNumber: phone }, { quiet: true })
    await call(loginEndpoints.verifySmsCode, { mobilePhoneNumber: phone, smsCode: code }, { quiet: true })
  } catch (error) {
    throw refusalOr(error, '登录异常')
  }
}

async function bindDevice(phone: string): Promise<void> {
  const input = { ...thisDevice, mobilePhoneNumber: phone }
  const answer = await call(loginEndpoints.bindDevice, input, { quiet: true }).catch(async (error: unknown) => {
    const isRefused = isApiError(error) && error.code === 'device_unauthorised'
    if (!isRefused) throw new LoginError('设备授权失败，请检查当前网络环境', { cause: error })
    throw new LoginError(error.promot, { cause: error, isDeviceRequested: await askForDevice() })
  })
  if (!answer.data.authorised) throw new LoginError('当前设备未授权，请联系管理员授权后登陆！')
}

/** Asks the administrators to approve this browser; whether they have been asked now or before. */
async function askForDevice(): Promise<boolean> {
  try {
    const { operatorDeviceEndpoints } = await import('@saddle/contract/identity/devices.ts')
    const { data } = await call(operatorDeviceEndpoints.verifyDevice, {}, { quiet: true })
    return data.state === 'requested'
  } catch {
    // The refusal itself is shown; it says whom to contact.
    return false
  }
}

async function lookUpOperator(phone: string): Promise<string> {
  try {
    const { data } = await call(loginEndpoints.lookUpOperator, { phone }, { quiet: true })
    return data.opManId
  } catch (error) {
    throw refusalOr(error, '登录异常')
  }
}

async function openSession(opManId: string): Promise<LoginData> {
  try {
    const { data } = await call(loginEndpoints.permissionLogin, { opManId }, { quiet: true })
    return data
  } catch (error) {
    throw refusalOr(error, '登录异常')
  }
}

/** The server's text when it rejected the call; the other text when the call failed. */
function refusalOr(error: unknown, text: string): LoginError {
  if (!isApiError(error) || error.status === 0 || error.status >= 500) return new LoginError(text, { cause: error })
  return new LoginError(error.promot || '登录失败', { cause: error })
}
