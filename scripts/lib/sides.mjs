/**
 * Every feature has the same name in the contract, on the server and in the console: calls that are declared in
 * `contract/src/<domain>/<name>.ts` are handled in `<name>/` or `<name>.ts` of the same domain of the server, and the
 * domain of the console that uses them has a folder or file of that name.
 */

/** Contract files whose folder has another name or place, by side, each with its reason. */
export const otherNames = {
  server: {
    'fleet/models': 'handled in telemetry/deviceAccess',
    'fleet/registration': 'handled in telemetry/deviceAccess',
    'fleet/unknownDevices': 'handled in telemetry/deviceAccess',
  },
  console: {
    'audit/records': 'one page for each kind of log: log',
    'fleet/analysis': 'named as its page: operational-analysis',
    'fleet/devices': 'named as their pages: vehicle-info, vehicle-visualization',
    'fleet/models': 'a part of the page of deviceAccess',
    'fleet/past': 'a layer of the map: operation-map',
    'fleet/registration': 'a part of the page of deviceAccess',
    'fleet/trips': 'named as their page: vehicle-info',
    'fleet/unknownDevices': 'a part of the page of deviceAccess',
    'fleet/vehicles': 'shown by every page of the fleet',
    'geography/manage': 'changes fences from three places: fences, editor, import',
    'identity/passkeys': 'a part of the page account',
    'identity/self': 'the page account',
    'organisation/agents': 'companies below agent',
    'support/chat': 'files of the domain itself: the conversation stands on every page',
  },
}

const contractFile = /^packages\/contract\/src\/([^/]+)\/([^/]+?)\.ts$/

/** Names of the folders of a domain, and of the files directly in it. */
function namesBelow(paths, root) {
  const names = new Set()
  for (const path of paths) {
    if (!path.startsWith(root)) continue
    const folders = path.slice(root.length).split('/')
    const file = folders.pop() ?? ''
    for (const folder of folders) names.add(folder)
    if (folders.length === 0) names.add(file.replace(/\.tsx?$/, ''))
  }
  return names
}

/** Contract files whose name is missing on a side, and exceptions that are not needed: `<file> <why>`. */
export function sideFaults(files, allowed = otherNames) {
  const paths = files.map(({ path }) => path)
  const faults = []
  const needed = { server: new Set(), console: new Set() }
  for (const { path, text } of files) {
    const [, domain, name] = contractFile.exec(path) ?? []
    if (name === undefined || name.includes('.') || !/\bdefineEndpoints\(/.test(text)) continue
    const key = `${domain}/${name}`
    const sides = {
      server: true,
      console: files.some(
        (file) =>
          file.path.startsWith(`apps/console/src/${domain}/`) &&
          file.text.includes(`@saddle/contract/${domain}/${name}.ts'`),
      ),
    }
    for (const [side, isUsed] of Object.entries(sides)) {
      if (!isUsed || namesBelow(paths, `apps/${side}/src/${domain}/`).has(name)) continue
      needed[side].add(key)
      if (allowed[side][key] === undefined)
        faults.push(`${path}: apps/${side}/src/${domain} has no ${name}: one thing has one name on all sides`)
    }
  }
  for (const [side, entries] of Object.entries(allowed))
    for (const key of Object.keys(entries))
      if (!needed[side].has(key)) faults.push(`scripts/lib/sides.mjs: ${side} needs no exception for ${key}`)
  return faults
}
