/** The bytes of the database may begin anywhere; floats must begin at a multiple of four. */
export const floatsOf = (bytes: Buffer): Float32Array => {
  const floats = new Float32Array(bytes.byteLength / 4);
  new Uint8Array(floats.buffer).set(bytes.subarray(0, floats.byteLength));
  return floats;
};
