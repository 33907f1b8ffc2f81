/** The file beside the demo's devices with the public key of those whose firmware they take. */
export const demoArtefactKeyFile = 'demo-artefact-key.json'
