// node-postgres exports this file but its types leave it out.
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(value: unknown): unknown }
  export default utils
}
