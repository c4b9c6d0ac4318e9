// Prints every issue that the validator of glTF has with the files named, and ends with 1 if one is an error.
const fs = require("fs");
const validator = require("gltf-validator");

async function main(files) {
  let errors = 0;
  for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 50 });
    const { numErrors, numWarnings, numInfos, messages } = report.issues;
    console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} remarks`);
    for (const issue of messages) {
      console.log(`  ${issue.code} at ${issue.pointer}: ${issue.message}`);
    }
    errors += numErrors;
  }
  return errors > 0 ? 1 : 0;
}

main(process.argv.slice(1)).then(
  (code) => process.exit(code),
  (error) => {
    console.error(String(error));
    process.exit(1);
  },
);
