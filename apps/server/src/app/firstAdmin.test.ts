import { describe, expect, it } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { permissionCodes } from '@saddle/contract/permissions.ts'
import { testPlatform } from '#test/platform.ts'
import { ensureFirstAdmin } from './firstAdmin.ts'
import { createAudit } from '#audit/public.ts'
import { createOrganisation } from '#organisation/public.ts'

const phone = '13700000001'
const server = await testPlatform({ env: { SERVICES: 'api', FIRST_ADMIN_PHONE: phone } })

describe('the first administrator', () => {
  it('can log in to an empty installation and is made once', async () => {
    const client = await server.login(phone)
    const { body } = await client.call(endpoints.allCode, { opManId: client.session!.data.objectId })
    expect(body).toMatchObject({ suc: true })
    expect((body as { data: string[] }).data.toSorted()).toEqual([...permissionCodes].toSorted())

    const again = { ...server.kit, config: { ...server.kit.config, firstAdminPhone: '13700000002' } }
    const parts = {
      audit: createAudit(again),
      identity: server.platform.domains.identity,
      organisation: createOrganisation(again),
    }
    await Promise.all([ensureFirstAdmin({ kit: again, ...parts }), ensureFirstAdmin({ kit: again, ...parts })])
    expect(await server.owner.selectFrom('operator').select('id').execute()).toHaveLength(1)
    expect(await server.owner.selectFrom('agent').select('id').execute()).toEqual([{ id: 2 }])
  })
})
