import { beforeEach, expect, test } from 'vitest'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { overrideConfig } from '#kit/config.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { withPlatform } from '#test/session.ts'
import { forgetCompanyBrand, keepCompanyBrand, loadBrand, titleDocument } from './branding.ts'

const none = { webImg: null, webTitle: null, appTitle: null, company: null }
let platform: FakePlatform

const title = (): string => {
  titleDocument()
  return document.title
}
const answer = (agentId: number | null, webTitle: string | null): void =>
  platform.on(agentEndpoints.agentByDomain, () => ({ suc: true, data: { agentId, branding: { ...none, webTitle } } }))

beforeEach(async () => {
  platform = await withPlatform()
  answer(null, null)
  await loadBrand()
  forgetCompanyBrand()
})

test('the address is looked up with the key that the page carries', async () => {
  overrideConfig({ apiKey: 'key-of-the-page' })
  await loadBrand()
  expect(platform.heard.at(-1)?.input).toMatchObject({ apiKey: 'key-of-the-page', domain: location.hostname })
})

test('the company of who is logged in is shown where the address belongs to nobody, and goes with the person', async () => {
  keepCompanyBrand({ ...none, webTitle: '江城' })
  expect(title()).toBe('江城')
  await loadBrand()
  expect(title()).toBe('江城')
  forgetCompanyBrand()
  expect(title()).toBe('共享出行运营平台')
})

test('the company that the address belongs to wins, and stays after logout', async () => {
  answer(4, '青山')
  await loadBrand()
  keepCompanyBrand({ ...none, webTitle: '江城' })
  forgetCompanyBrand()
  expect(title()).toBe('青山')
})
