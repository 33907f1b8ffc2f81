import { chatWindow, type ChatWindow } from '#kit/chatWindow.ts'
import { clientConfig } from '#kit/config.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { isLoggedIn } from '#kit/session/store.ts'
import { loadThirdPartyChat } from './thirdParty.ts'

/** Opens the customer service: the configured third party for somebody who is logged in, else the built-in window. */
export async function openChat(window: Exclude<ChatWindow, 'shut'> = 'mine'): Promise<void> {
  const { chatScriptUrl } = clientConfig()
  if (chatScriptUrl === null || !isLoggedIn()) return chatWindow.set(window)
  try {
    await loadThirdPartyChat(chatScriptUrl)
  } catch {
    notify.error({ title: t('错误'), text: t('网络出现问题，请稍后再试') })
  }
}
