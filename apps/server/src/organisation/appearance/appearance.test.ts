import { describe, expect, it } from 'vitest'
import { createAgentHandlers } from '#organisation/agents/handlers.ts'
import { companyWorld } from '#organisation/companies.fixture.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { publicCall } from '#test/kit.ts'

const { kit, owner, ids, handlers, calls, recordsOf, logo } = await companyWorld()
const { companyAppearance, saveCompanyAppearance, setApiKey, ownAppearance, saveOwnLayout } = handlers
const { agentByDomain } = createAgentHandlers(kit)
const none = { webTitle: null, appTitle: null, company: null, layout: {} }

describe('the branding of a company', () => {
  it('is set by whoever may, is shown at its domain, and leaves a line', async () => {
    const { data } = await saveCompanyAppearance(
      {
        id: 3,
        webTitle: '东湖管理后台',
        appTitle: '东湖出行',
        company: '东湖出行服务有限公司',
        domain: 'donghu.example.cn',
        layout: { multiTab: true },
      },
      calls.platform(),
    )
    expect(data).toMatchObject({ domain: 'donghu.example.cn', hasApiKey: false, layout: { multiTab: true } })
    expect((await companyAppearance({ id: 3 }, calls.platform())).data).toEqual(data)
    const seen = await agentByDomain({ apiKey: '', domain: 'donghu.example.cn' }, publicCall())
    expect(seen.data).toMatchObject({
      agentId: 3,
      branding: { webTitle: '东湖管理后台', company: '东湖出行服务有限公司' },
    })
    expect(await recordsOf('agent', 3)).toMatchObject([
      {
        action: 'agent.change',
        operator_id: ids.platform,
        before: { webTitle: null, domain: null },
        after: { webTitle: '东湖管理后台', domain: 'donghu.example.cn', layout: { multiTab: true } },
      },
    ])
  })

  it('keeps a picture and serves it, and lets the old one go', async () => {
    const file = samples.jpeg.toString('base64')
    const { data } = await saveCompanyAppearance({ id: 3, ...none, logo: file }, calls.manager())
    const id = data.branding.webImg?.replace('/brand/', '') ?? ''
    expect(await logo(id)).toMatchObject({ id, kind: 'jpeg' })
    const kept = await saveCompanyAppearance({ id: 3, ...none }, calls.manager())
    expect(kept.data.branding.webImg).toBe(data.branding.webImg)
    await saveCompanyAppearance({ id: 3, ...none, logo: null }, calls.manager())
    expect(await logo(id)).toBeNull()
    const { unattached_since } = await owner
      .selectFrom('photo')
      .select('unattached_since')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(unattached_since).not.toBeNull()
  })

  it('takes pictures alone', async () => {
    const file = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
    await expect(saveCompanyAppearance({ id: 3, ...none, logo: file }, calls.manager())).rejects.toMatchObject({
      code: 'photo_invalid',
    })
  })

  it('is nobody else’s', async () => {
    await expect(companyAppearance({ id: 4 }, calls.manager())).rejects.toMatchObject({ code: 'foreign_scope' })
    await expect(saveCompanyAppearance({ id: 4, ...none }, calls.manager())).rejects.toMatchObject({
      code: 'foreign_scope',
    })
    await expect(setApiKey({ id: 4, isOn: true }, calls.manager())).rejects.toMatchObject({ code: 'foreign_scope' })
  })
})

describe('a domain', () => {
  it('is registered by the platform alone, for one company alone', async () => {
    const taken = saveCompanyAppearance({ id: 4, ...none, domain: 'console.example.cn' }, calls.platform())
    await expect(taken).rejects.toMatchObject({ code: 'domain_taken' })
    const own = saveCompanyAppearance({ id: 3, ...none, domain: 'my.example.cn' }, calls.manager())
    await expect(own).rejects.toMatchObject({ code: 'forbidden' })
    expect((await companyAppearance({ id: 3 }, calls.manager())).data.mayRegister).toBe(false)
  })

  it('asks for its key once it has one, which is told once', async () => {
    await saveCompanyAppearance({ id: 4, ...none, webTitle: '西山', domain: 'xishan.example.cn' }, calls.platform())
    const { data } = await setApiKey({ id: 4, isOn: true }, calls.platform())
    const ask = (apiKey: string) => agentByDomain({ apiKey, domain: 'xishan.example.cn' }, publicCall())
    expect((await ask('')).data.agentId).toBeNull()
    expect((await ask(data.apiKey ?? '')).data.branding.webTitle).toBe('西山')
    expect((await companyAppearance({ id: 4 }, calls.platform())).data.hasApiKey).toBe(true)
    expect((await setApiKey({ id: 4, isOn: false }, calls.platform())).data.apiKey).toBeNull()
    expect((await ask('')).data.agentId).toBe(4)
    await expect(setApiKey({ id: 3, isOn: true }, calls.manager())).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('what a person sees', () => {
  it('is the branding of the own company, or of the nearest one above, and both layouts', async () => {
    await saveCompanyAppearance({ id: 3, ...none, layout: { layout: 'topmenu' } }, calls.manager())
    expect((await ownAppearance({}, calls.manager())).data).toEqual({
      branding: { webImg: null, webTitle: '骑行平台', appTitle: null, company: '平台' },
      company: { layout: 'topmenu' },
      own: {},
    })
    await saveCompanyAppearance({ id: 3, ...none, webTitle: '东湖' }, calls.manager())
    await saveOwnLayout({ multiTab: true, colorWeak: true }, calls.manager())
    expect((await ownAppearance({}, calls.manager())).data).toEqual({
      branding: { webImg: null, webTitle: '东湖', appTitle: null, company: null },
      company: {},
      own: { multiTab: true, colorWeak: true },
    })
    expect((await ownAppearance({}, calls.worker())).data.own).toEqual({})
  })

  it('leaves out settings that this version does not know', async () => {
    await owner
      .updateTable('operator')
      .set({ layout: JSON.stringify({ layout: 'sideways' }) })
      .where('id', '=', ids.worker)
      .execute()
    expect((await ownAppearance({}, calls.worker())).data.own).toEqual({})
  })
})
