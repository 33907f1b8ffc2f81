/**
 * A thing has one name in the contract, on the server and in the console: calls that are declared in
 * `contract/src/<domain>/<name>.ts` are handled in `<name>/` or `<name>.ts` of the same domain of the server, and the
 * domain of the console that uses them has a folder or file of that name.
 */

/** Contract files whose folder has another name or place, by side, each with its reason. */
export const otherNames = {
  server: {},
  console: {},
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
