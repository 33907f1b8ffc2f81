import { isApiError } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'

/**
 * Opens a page of the bank in a new tab. The tab is opened at once, because a browser blocks one that opens after an
 * answer; it knows nothing of this page.
 */
export async function openBankPage(link: () => Promise<string>): Promise<void> {
  const tab = window.open('about:blank', '_blank')
  if (tab !== null) tab.opener = null
  try {
    const url = await link()
    if (tab === null) window.open(url, '_blank', 'noopener,noreferrer')
    else tab.location.href = url
  } catch (error) {
    tab?.close()
    notify.error({ title: t('错误'), text: isApiError(error) ? error.promot : t('网络出现问题，请稍后再试') })
  }
}
