// What `import fc from 'fast-check'` means in tests: the library with one seed for all of them, so that a run can be
// repeated exactly. PROPERTY_SEED chooses another; a failing property prints the seed that it failed with.
import fc from '#fast-check'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_121) })

export * from '#fast-check'
export default fc
