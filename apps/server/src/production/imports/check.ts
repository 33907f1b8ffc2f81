import { createHash } from 'node:crypto'
import { AppError } from '@saddle/contract/errors.ts'
import {
  importColumns,
  importRowsMax,
  importsOpenMax,
  type ImportColumn,
  type ImportSheet,
} from '@saddle/contract/production/importWords.ts'
import type { SessionCall } from '#kit/call.ts'
import { readSheet, type SheetLine } from '#kit/files/sheet.ts'
import { placesOf, type ColumnPlaces } from '#kit/files/sheetColumns.ts'
import type { ImportDeps } from './deps.ts'
import { judgeLine, vehicleColumns } from './rules.ts'
import { analyzeLines, countLines, judgeFile, judgeTaken, lineTable, selectArea, selectOpenImports } from './store.ts'

/**
 * Reads a file and keeps its lines with the reasons for which some cannot be taken. Nothing of it is a vehicle yet. It looks
 * at numbers of every company, because those are given once for all, and so it works as the system.
 */
export async function checkSheet(
  { kit, audit }: ImportDeps,
  call: SessionCall,
  sheet: ImportSheet,
): Promise<{ id: number; total: number; bad: number }> {
  const { areaId, protocol, newModels, isImeiUnchecked, name } = sheet
  const bytes = Buffer.from(sheet.base64, 'base64')
  const [area] = await kit.db.read(call.scope, (k) => selectArea({ areaId, scope: call.scope }).compile(k))
  if (area === undefined) throw new AppError('foreign_scope')
  const { agent_id: agentId } = area
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return await kit.db.system(async (tx) => {
    const { rows: counted } = await selectOpenImports(agentId).execute(tx)
    const open = counted[0]?.open ?? 0
    if (open >= importsOpenMax) throw new AppError('import_too_many', { values: { count: open } })
    const { id } = await tx
      .insertInto('vehicle_import')
      .values({
        agent_id: agentId,
        area_id: areaId,
        name,
        sha256,
        protocol,
        // The lines refer to their batch, and only they tell how many there are.
        total: 1,
        bad: 0,
        created_at: new Date(kit.clock.now()),
        created_by: call.caller.name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    let places: ColumnPlaces<ImportColumn> | null = null
    for await (const lines of readSheet(bytes, { rowsMax: importRowsMax, columns: importColumns.length })) {
      const rows: readonly SheetLine[] = places === null ? lines.slice(1) : lines
      places ??= placesIn(lines[0])
      const at = { places, isImeiUnchecked, areaName: area.name }
      const judged = rows.map((row) => Object.assign(judgeLine(row, at), { importId: id, agentId, areaId }))
      if (judged.length > 0) await lineTable.insert(judged).execute(tx)
    }
    await analyzeLines.execute(tx)
    await judgeFile(tx, { id, protocol, newModels })
    await judgeTaken(tx, { id, agentId })
    const { total, bad } = await countLines(tx, id)
    if (total === 0) throw new AppError('sheet_rows', { values: { rows: importRowsMax } })
    await audit.act(tx, call, {
      agentId,
      areaId,
      action: 'vehicle_import.check',
      subjectKind: 'vehicle_import',
      subjectId: id,
      after: { name, protocol, total, bad },
    })
    return { id, total, bad }
  })
}

/** Where the columns stand by the first line of the file. Throws sheet_columns. */
function placesIn(first: SheetLine | undefined): ColumnPlaces<ImportColumn> {
  const { places, missing } = placesOf(first?.cells ?? [], vehicleColumns)
  if (missing.length > 0) throw new AppError('sheet_columns', { values: { columns: missing.join('、') } })
  return places
}
