import { beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '#kit/crypto.ts'
import { createOrganisation } from '#organisation/public.ts'
import { insertTestTenants } from '#organisation/organisation.fixture.ts'
import { testDatabase } from '#test/database.ts'
import { publicCall, sessionCall, testKit } from '#test/kit.ts'
import { likePattern, normalisedDomain } from './rules.ts'

const { db, owner } = await testDatabase()
const organisation = createOrganisation(testKit(db))
const { agentByDomain, listAgentAccounts } = organisation.handlers

beforeAll(() => insertTestTenants(owner))

const platform = { operatorId: 1, agentId: 2, grant: { agentIds: [2, 3, 4], areaIds: [31, 32, 41] } }
const franchisee = { operatorId: 2, agentId: 3, grant: { agentIds: [3], areaIds: [31] } }

const nobody = { agentId: null, branding: { webImg: null, webTitle: null, appTitle: null, company: null } }

describe('agentByDomain', () => {
  it('gives the agent and its branding, however the host is written', async () => {
    for (const domain of ['console.example.cn', 'CONSOLE.example.cn:8080', 'console.example.cn.']) {
      expect(await agentByDomain({ apiKey: '', domain }, publicCall())).toEqual({
        suc: true,
        data: { agentId: 2, branding: { webImg: null, webTitle: '骑行平台', appTitle: null, company: '平台' } },
      })
    }
  })

  it('knows no other domain and no disabled agent', async () => {
    await owner.updateTable('agent').set({ domain: 'old.example.cn', state: 'disabled' }).where('id', '=', 4).execute()
    for (const domain of ['', 'example.cn', '%', 'old.example.cn']) {
      expect((await agentByDomain({ apiKey: '', domain }, publicCall())).data).toEqual(nobody)
    }
  })

  it('asks for the key of an agent that has one', async () => {
    await owner
      .updateTable('agent')
      .set({ domain: 'keyed.example.cn', api_key_hash: sha256('the-right-key') })
      .where('id', '=', 3)
      .execute()
    const ask = (apiKey: string) => agentByDomain({ apiKey, domain: 'keyed.example.cn' }, publicCall())
    expect((await ask('')).data).toEqual(nobody)
    expect((await ask('the-wrong-key')).data).toEqual(nobody)
    expect((await ask('the-right-key')).data.agentId).toBe(3)
  })
})

describe('listAgentAccounts', () => {
  it('lists all that was granted, the platform first, although the header selects less', async () => {
    const call = sessionCall({ ...platform, scope: { agentIds: [4], areaIds: [] } })
    expect(await listAgentAccounts({}, call)).toEqual({
      suc: true,
      data: {
        rows: [
          { agentId: 2, company: '平台公司' },
          { agentId: 3, company: '东湖出行' },
          { agentId: 4, company: '西山_出行100%' },
        ],
      },
    })
  })

  it('shows a franchisee nobody but itself, and nobody anything without a grant', async () => {
    expect((await listAgentAccounts({}, sessionCall(franchisee))).data.rows).toEqual([
      { agentId: 3, company: '东湖出行' },
    ])
    const nothing = sessionCall({ ...franchisee, grant: { agentIds: [], areaIds: [] } })
    expect((await listAgentAccounts({}, nothing)).data.rows).toEqual([])
  })

  it('finds what is typed as it stands', async () => {
    const find = async (keyword: string) => {
      const { data } = await listAgentAccounts({ keyword }, sessionCall(platform))
      return data.rows.map((row) => row.agentId)
    }
    expect(await find('出行')).toEqual([3, 4])
    expect(await find('100%')).toEqual([4])
    expect(await find('山_出')).toEqual([4])
    expect(await find('东_出')).toEqual([])
    expect(await find('\\')).toEqual([])
  })
})

describe('agent', () => {
  it('tells company and place in the tree, inside the scope only', async () => {
    const scope = { agentIds: [2, 3], areaIds: [], operatorId: 1 }
    expect(await organisation.agent(scope, 2)).toEqual({ id: 2, company: '平台公司', isRoot: true })
    expect(await organisation.agent(scope, 3)).toMatchObject({ isRoot: false })
    expect(await organisation.agent(scope, 4)).toBeNull()
  })
})

describe('rules', () => {
  it('normalises hosts', () => {
    expect(normalisedDomain(' Console.Example.CN.:443 ')).toBe('console.example.cn')
    expect(normalisedDomain('[::1]:8080')).toBe('[::1]')
  })

  it('takes the meaning from special characters of a pattern', () => {
    expect(likePattern(' 50%_\\ ')).toBe('%50\\%\\_\\\\%')
  })
})
