import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'

/** Reports which items of a bulk call failed, and the reason for the first of them. */
export function tellRefused(refused: readonly { readonly promot: string }[]): void {
  const [first] = refused
  if (first === undefined) return
  notify.warning({ text: t('{{number}} 项未能处理：{{why}}', { number: refused.length, why: t(first.promot) }) })
}
