import { expect, test } from 'vitest'
import { openSite, phones, routeIs } from './browser.ts'

const site = openSite()

const company = '临江漫行科技有限公司'
const applicantPhone = '13911112222'

test('a company applies, keeps what it typed over faults, and gets a number; once for each phone', async () => {
  const page = await site.newPage()
  await page.goto('/console/#/register')
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const submit = page.getByRole('button', { name: '提交申请' })

  await field('公司名称').fill(company)
  await field('联系人').fill('温若水')
  await field('手机号').fill('1391111')
  await field('运营城市').fill('临江市')
  await field('计划投放（辆）').fill('三百')
  await submit.click()
  await page.getByRole('alert').filter({ hasText: '手机号码格式不正确' }).waitFor()
  await page.getByRole('alert').filter({ hasText: '请填写 1 至 1000000 的整数' }).waitFor()
  expect(await field('公司名称').inputValue()).toBe(company)
  expect(await field('手机号').inputValue()).toBe('1391111')
  expect(await field('手机号').evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await site.server.query('select from franchise_application where company = $1', [company])).toHaveLength(0)

  await field('手机号').fill(applicantPhone)
  await field('计划投放（辆）').fill('300')
  await submit.click()
  await routeIs(page, '/register-result')
  await page.getByText('申请已提交').waitFor()
  const number = await page.getByRole('heading', { level: 1 }).innerText()
  const stored = await site.server.query('select * from franchise_application where company = $1', [company])
  expect(stored).toHaveLength(1)
  expect(Object.values(stored[0] ?? {})).toContain(number)
  // Applicants' personal data is sealed: neither name nor number is in plain text in the database.
  expect(JSON.stringify(stored)).not.toContain(applicantPhone)

  await page.goto('/console/#/register')
  await field('公司名称').fill('另一家公司')
  await field('联系人').fill('温若水')
  await field('手机号').fill(applicantPhone)
  await field('运营城市').fill('临江市')
  await field('计划投放（辆）').fill('20')
  await submit.click()
  await page.getByRole('alert').filter({ hasText: '该手机号已提交过申请，请等待审核' }).waitFor()
  expect(await field('公司名称').inputValue()).toBe('另一家公司')
  expect(await site.server.query("select from franchise_application where company = '另一家公司'")).toHaveLength(0)

  // Opened directly by its address, the page has no number to show and shows no error.
  await page.goto('/console/#/register-result')
  await page.reload()
  await page.getByText('没有可显示的申请').waitFor()

  const platform = await site.newPage({ as: phones.platform })
  await platform.goto('/console/#/log')
  await platform.getByRole('link', { name: /待审核的加盟申请/ }).click()
  await platform.getByRole('main').getByText(company).first().waitFor()
})
