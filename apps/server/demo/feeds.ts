import { sql } from 'kysely'
import { idKeyPurpose } from '#feeds/demoDoor.ts'
import { randomToken } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import { demoServiceAreas } from './tenants.ts'

const forms = {
  'SD-E2': { formFactor: 'bicycle', propulsion: 'electric_assist', maxRangeM: 60_000 },
  'SD-K1': { formFactor: 'scooter_standing', propulsion: 'electric', maxRangeM: 35_000 },
}

/** The companies of the demo that have areas publish their vehicles. What somebody has set since stays. */
export async function publishDemoFeeds({ db, clock, random, secrets }: Kit): Promise<void> {
  const companies = [...new Set(demoServiceAreas.map(({ agentId }) => agentId))]
  await db.system(async (tx) => {
    for (const agentId of companies) {
      const key = secrets.encryptText({ purpose: idKeyPurpose, text: randomToken(random), context: String(agentId) })
      await sql`
        insert into gbfs_setting (agent_id, is_public, contact_email, forms, id_key_sealed, changed_at, changed_by)
        select id, true, 'feeds@saddle.example', ${JSON.stringify(forms)}::jsonb, ${key}, ${new Date(clock.now())}, '演示'
        from agent where id = ${agentId}
        on conflict (agent_id) do nothing`.execute(tx)
    }
  })
}
