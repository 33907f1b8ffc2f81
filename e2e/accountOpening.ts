import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { chooseSetting } from './browser.ts'
import type { RunningServer } from './server.ts'

const paper = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mOQizpBEmIY1TCqYfhqAAB1t0AQ8dIAngAAAABJRU5ErkJggg==',
  'base64',
)

/** The demo says that the company is active: here it has no account at the bank yet. */
export async function closeAccount({ query }: RunningServer, company: string): Promise<void> {
  await query(
    `update financial_account set status = 0, bank_number = null, account_level = null
     where agent_id = (select id from agent where company = $1)`,
    [company],
  )
}

interface Opening {
  readonly company: string
  readonly details: Readonly<Record<string, string>>
  /** The first one is named as missing. */
  readonly papers: readonly [string, ...string[]]
  readonly isPerson?: boolean
}

/** Opens the account of the company whose person is on the page: facts, papers, submission, answer of the bank. */
export async function openAccount(page: Page, { company, details, papers, isPerson = false }: Opening): Promise<void> {
  await chooseSetting(page, '开户')
  const drawer = page.getByRole('dialog', { name: `“${company}”开户` })
  if (isPerson) await drawer.getByRole('radio', { name: '个人', exact: true }).check()
  for (const [label, text] of Object.entries(details)) await drawer.getByLabel(label, { exact: true }).fill(text)
  await drawer.getByRole('button', { name: '保存资料' }).click()
  const submit = drawer.getByRole('button', { name: '提交银行审核' })
  await drawer.getByText(`还缺：${papers[0]}`).waitFor()
  expect(await submit.isDisabled()).toBe(true)
  for (const name of papers) {
    await drawer.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: '上传' }).click()
    const dialog = page.getByRole('dialog', { name: `上传${name}` })
    await dialog.getByLabel('选择照片').setInputFiles({ name: 'paper.png', mimeType: 'image/png', buffer: paper })
    await dialog.getByRole('button', { name: '上传', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await submit.click()
  await drawer.getByText('已开户').waitFor()
  await drawer.getByRole('button', { name: '关闭' }).click()
}
